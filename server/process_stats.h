/* What the kernel says of this process. */
#ifndef PROCESS_STATS_H
#define PROCESS_STATS_H

/* Each is 0 where the kernel does not tell, as without /proc. Thread-safe. */
double process_cpu_seconds(void); /* user and system, all threads */
double process_resident_bytes(void);
double process_virtual_bytes(void);
double process_open_fds(void);
double process_max_fds(void);

#endif
