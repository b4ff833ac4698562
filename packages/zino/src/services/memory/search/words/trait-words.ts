// English words that mark a text as one about a time or a number. Questions that ask for one ("when",
// "in which year", "how many") prefer such texts.

export const timeWords: readonly string[] = `
today yesterday tomorrow tonight morning afternoon evening night weekend week month year day hour
minute ago last next recently soon earlier later monday tuesday wednesday thursday friday saturday
sunday january february march april june july august september october november december spring
summer autumn fall winter birthday anniversary christmas easter
`
  .trim()
  .split(/\s+/)

export const numberWords: readonly string[] = `
two three four five six seven eight nine ten eleven twelve twenty thirty fifty hundred thousand
million dozen couple twice pair
`
  .trim()
  .split(/\s+/)
