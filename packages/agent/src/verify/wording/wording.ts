// What the words of an answer mean: reports, plans, denials, headings. Every list of words is a table in one
// of the files of this folder; a new word is a new entry.
export { isNoReport, isPastState, isPlan } from './moods.ts'
export { deniesSuccess, isNegated } from './negations.ts'
export { listVerbOf, opensPlans } from './sections.ts'
export { containing, sourceOf, startingWith, type WordLists } from './phrases.ts'
