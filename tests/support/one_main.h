/* SPDX-License-Identifier: MIT */
/* Read before a test program that becomes part of one for its whole suite: there `main` is a name
 * given on the command line, and this its prototype. */
#ifndef MEMSWEEP_ONE_MAIN_H
#define MEMSWEEP_ONE_MAIN_H

int main(void);

#endif
