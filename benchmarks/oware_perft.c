/* Perft of oware (abapa) as one writes it in plain C: a byte array, seeds sown one by one, captures walked
 * backwards. The peer of oware_perft.py.
 *
 *     cc -O3 oware_perft.c -o oware_perft && ./oware_perft 9 5
 *
 * prints the number of lines, and then the best seconds of as many runs.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { HOUSES = 6, RING = 12, TOTAL = 48, LONGEST = 64 };

typedef struct {
    unsigned char seeds[RING]; /* South A..F, North a..f */
    unsigned char store[2];
    int mover;
    int quiet; /* moves since the last capture */
} Board;

static int row_is_empty(const Board *board, int player) {
    for (int i = 0; i < HOUSES; i++)
        if (board->seeds[player * HOUSES + i]) return 0;
    return 1;
}

static int same_before(const Board *line, int at) {
    for (int back = 2; back <= line[at].quiet; back += 2)
        if (!memcmp(line[at].seeds, line[at - back].seeds, RING)) return 1;
    return 0;
}

static int legal(const Board *line, int at, int *actions) {
    const Board *board = &line[at];
    int count = 0;
    if (board->store[0] > TOTAL / 2 || board->store[1] > TOTAL / 2 || same_before(line, at)) return 0;
    int hungry = row_is_empty(board, !board->mover);
    for (int i = 0; i < HOUSES; i++) {
        int seeds = board->seeds[board->mover * HOUSES + i];
        if (seeds && (!hungry || seeds >= HOUSES - i)) actions[count++] = i;
    }
    return count;
}

static void play(Board *board, int house) {
    int mover = board->mover, origin = mover * HOUSES + house, place = origin, first = !mover * HOUSES;
    int hand = board->seeds[origin], captured = 0;
    board->seeds[origin] = 0;
    while (hand) {
        if (++place == RING) place = 0;
        if (place == origin) continue;
        board->seeds[place]++;
        hand--;
    }
    int start = place;
    while (start >= first && start < first + HOUSES && (board->seeds[start] == 2 || board->seeds[start] == 3))
        captured += board->seeds[start--];
    int enemy = 0;
    for (int i = 0; i < HOUSES; i++) enemy += board->seeds[first + i];
    if (captured && captured < enemy) {
        memset(board->seeds + start + 1, 0, place - start);
        board->store[mover] += captured;
        board->quiet = 0;
    } else {
        board->quiet++;
    }
    board->mover = !mover;
}

static long perft(Board *line, int at, int depth) {
    int actions[HOUSES];
    int count = legal(line, at, actions);
    long lines = 0;
    for (int i = 0; i < count; i++) {
        line[at + 1] = line[at];
        play(&line[at + 1], actions[i]);
        lines += depth > 1 ? perft(line, at + 1, depth - 1) : 1;
    }
    return lines;
}

int main(int argc, char **argv) {
    int depth = argc > 1 ? atoi(argv[1]) : 9, runs = argc > 2 ? atoi(argv[2]) : 5;
    Board line[LONGEST];
    double best = 1e9;
    long lines = 0;
    if (depth < 1 || depth >= LONGEST) return 2;
    for (int run = 0; run < runs; run++) {
        struct timespec start, end;
        memset(line, 0, sizeof line);
        memset(line[0].seeds, TOTAL / RING, RING);
        clock_gettime(CLOCK_MONOTONIC, &start);
        lines = perft(line, 0, depth);
        clock_gettime(CLOCK_MONOTONIC, &end);
        double seconds = (end.tv_sec - start.tv_sec) + 1e-9 * (end.tv_nsec - start.tv_nsec);
        if (seconds < best) best = seconds;
    }
    printf("%ld %.9f\n", lines, best);
    return 0;
}
