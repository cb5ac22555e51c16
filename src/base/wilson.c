#include "base/wilson.h"

#include <math.h>

void
wilson_interval(double share, unsigned count, double *least, double *most)
{
	const double z = 1.96; /* 95 % of a normal distribution lie nearer to its middle */
	double n = count, whole = 1 + z * z / n;
	double middle = (share + z * z / (2 * n)) / whole;
	double half = z / whole * sqrt(share * (1 - share) / n + z * z / (4 * n * n));
	/* What is reckoned of all or none misses the end by a rounding. */
	*least = count > 0 && share > 0 ? middle - half : 0;
	*most = count > 0 && share < 1 ? middle + half : 1;
}
