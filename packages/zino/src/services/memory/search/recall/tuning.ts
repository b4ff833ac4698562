// The constants of the ranking "recall", tuned on real conversations.

export const recallTuning = {
  /** The BM25 parameters. */
  k1: 0.9,
  b: 0.3,
  /** Share of the score of the memory before and of the one after, and the decay per step. */
  before: 0.42,
  after: 0.25,
  neighbourDecay: 0.65,
  /** Added share of the memory two steps away if it starts with the same name. */
  speaker: 0.12,
  /** Longer memories neither add to their neighbours' scores nor gain from them. */
  maxNeighbourLength: 80,
  /** What a memory inherits in addition from the question before it. */
  answer: 1.5,
  /** An answer without a query word of its own. */
  admitted: 0.9,
  /** A memory that starts with a name of the query. */
  lead: 1.35,
  /** A memory that is itself a question. */
  question: 0.7,
  /** Added for a memory of `fullLength` words or more; a shorter one gets its part of it. */
  length: 0.2,
  fullLength: 40,
  /** For questions about a time or a number: a memory with a time or a number. */
  time: 1.3,
  number: 1.2,
  /** Added for the best session, and for a memory that covers the whole query. */
  session: 0.6,
  coverage: 0.5,
  /** Weight of an adjacent pair of query words, and its share with one word between them. */
  pair: 0.5,
  pairApart: 0.5,
  /** Weight of a word that is only similar. */
  similar: 0.8,
}
