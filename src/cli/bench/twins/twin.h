/* What the twins share: their arguments, their clock, and the one line of JSON they print.
 *
 * Arguments are words NAME=VALUE. Output is
 *
 *     {"ns": ..., "state": [...]}
 *
 * where `ns` is the time of one step (one event, one point: what the program counts) and `state` what it has computed,
 * with 17 significant digits, so that the caller can check that both programs did the same. */
#ifndef MOREAU_TWIN_H
#define MOREAU_TWIN_H

#define _DEFAULT_SOURCE
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int twin_count;
static char** twin_words;

/* The value of an argument; a program that misses one ends. */
static double number(const char* name) {
  const size_t length = strlen(name);
  for (int i = 1; i < twin_count; ++i)
    if (strncmp(twin_words[i], name, length) == 0 && twin_words[i][length] == '=')
      return strtod(twin_words[i] + length + 1, NULL);
  fprintf(stderr, "missing argument %s\n", name);
  exit(EXIT_FAILURE);
}

/* Zeroed numbers; they live as long as the program. */
static inline double* numbers(long count) {
  double* values = calloc((size_t)(count > 0 ? count : 1), sizeof(double));
  if (values == NULL) exit(EXIT_FAILURE);
  return values;
}

/* Wall time, ns. */
static inline double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return 1e9 * (double)time.tv_sec + (double)time.tv_nsec;
}

/* Time that the processor has spent on this program, ns: what else the machine does is not counted. */
static inline double spent(void) {
  struct timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return 1e9 * (double)time.tv_sec + (double)time.tv_nsec;
}

static void report(double ns, const double* state, long count) {
  printf("{\"ns\": %.17g, \"state\": [", ns);
  for (long i = 0; i < count; ++i) printf("%s%.17g", i == 0 ? "" : ", ", state[i]);
  printf("]}\n");
}

static void run(void);

int main(int count, char** words) {
  twin_count = count;
  twin_words = words;
  run();
  return EXIT_SUCCESS;
}

#endif
