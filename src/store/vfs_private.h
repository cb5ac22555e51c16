/* Inside store/ only: SQLite's way to the file system, but for what it makes of a disk that cannot read. */
#ifndef IUVOD_STORE_VFS_PRIVATE_H
#define IUVOD_STORE_VFS_PRIVATE_H

/* Makes it the one that connections use; to be called once, by one thread, after sqlite3_initialize. */
void vfs_register(void);

#endif
