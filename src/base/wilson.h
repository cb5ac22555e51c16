/*
 * What a share that was counted may be wrong by: E. B. Wilson, Probable inference,
 * the law of succession, and statistical inference, Journal of the American
 * Statistical Association 22 (1927), 209-212.  In his interval all of the trials,
 * or none, is not taken as certain.
 */
#ifndef IUVOD_BASE_WILSON_H
#define IUVOD_BASE_WILSON_H

/*
 * The interval of 95 % (both ends from 0 to 1) of a share, from 0 to 1, of `count`
 * trials; the whole of it without any.  Where a trial may come to less than a whole,
 * as half a point, it is a little too wide.
 */
void wilson_interval(double share, unsigned count, double *least, double *most);

#endif
