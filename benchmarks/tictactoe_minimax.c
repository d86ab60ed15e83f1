/* Plain minimax over the whole tic-tac-toe tree in C: what the machine gives without tricks.
   Prints the nodes and the median CPU time of one walk in seconds. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static const int LINES[8] = {0007, 0070, 0700, 0111, 0222, 0444, 0421, 0124};
static char won[512];
static long nodes;

static int minimax(int mine, int theirs, int ply)
{
    int best = -100, empty = 511 & ~(mine | theirs);
    nodes++;
    if (won[theirs]) return ply - 10;
    if (!empty) return 0;
    for (; empty; empty &= empty - 1) {
        int score = -minimax(theirs, mine | (empty & -empty), ply + 1);
        if (score > best) best = score;
    }
    return best;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(void)
{
    double seconds[21];
    int value = 0;
    for (int board = 0; board < 512; board++)
        for (int line = 0; line < 8; line++)
            if ((board & LINES[line]) == LINES[line]) won[board] = 1;
    for (int round = 0; round < 21; round++) {
        struct timespec a, b;
        nodes = 0;
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &a);
        value += minimax(0, 0, 0);
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &b);
        seconds[round] = (b.tv_sec - a.tv_sec) + 1e-9 * (b.tv_nsec - a.tv_nsec);
    }
    qsort(seconds, 21, sizeof *seconds, by_size);
    printf("%d %ld %.9f\n", value, nodes, seconds[10]);
    return 0;
}
