# Kuhn poker with any number of cards.
#
# The betting so far is one number: a 1, then a bit an action, 0 for pass (check or fold) and 1 for bet
# or call. The whole game is nine of them:
#
#     1 ─┬─ p 2 ─┬─ pp 4            showdown for 1
#        │       └─ pb 5 ─┬─ pbp 10 player 0 folds
#        │                └─ pbb 11 showdown for 2
#        └─ b 3 ─┬─ bp 6            player 1 folds
#                └─ bb 7            showdown for 2

from libc.stdint cimport uint64_t

from zerosum.core.hidden cimport HiddenState


cdef class KuhnState(HiddenState):
    cdef int cards                 # in the deck
    cdef int dealt                 # 0, 1 or 2
    cdef int hand[2]               # card indices, the higher the better
    cdef int line                  # the betting so far
