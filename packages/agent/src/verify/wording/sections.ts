// Headings of an answer that change the meaning of the list below them.
import { sourceOf } from './phrases.ts'

const heading = String.raw`^(?:#+ *|\*\*|[-*] \*\*)?`

/** What is still to be done, how the reader runs something, what was before. */
const openSections: readonly string[] = [
  ...['next steps?', 'to-?dos?', 'remaining', 'left to do', 'what.?s (left|next)', 'follow-?ups?'],
  ...[
    'suggest\\w*',
    'recommend\\w*',
    '([\\w-]+ )?plan',
    'proposed?',
    'open (questions|issues|points)',
  ],
  ...['how to \\w+', 'to (run|test|verify|try)\\b.*', 'usage', 'you can', 'if you'],
  ...['not (done|verified|tested|run)', 'still (failing|open|to do)'],
  ...['known (issues|failures)', 'caveats?', 'limitations?'],
  ...['before( this)?( change)?', 'previously'],
  ...[
    'definition of done',
    '([\\w-]+ )?(criteria|requirements|goals|objectives|prerequisites)',
    'checklist',
  ],
  ...['expected( \\w+)?', 'ideas?', 'possible \\w+', 'options?', 'alternatives?', 'out of scope'],
]

const openSection = new RegExp(`${heading}(?:${sourceOf(openSections)})\\b.{0,60}$`, 'i')

/** Whether a line opens a list of things that were not done. */
export function opensPlans(line: string): boolean {
  return openSection.test(line)
}

const changeVerbs = ['changed', 'modified', 'edited', 'updated', 'touched', 'added', 'created']
const removalVerbs = ['deleted', 'removed']
const fileList = new RegExp(
  String.raw`^(?:#+ *|\*\*)?(?:(?:\d+ |all )?files? (${sourceOf([...changeVerbs, ...removalVerbs])})|(${sourceOf([...changeVerbs, ...removalVerbs, 'new'])}) files?)\b[^${'`'}]{0,20}$`,
  'i',
)

/** Headings that are one verb, and headings of all changes. */
const verbHeading = new RegExp(
  String.raw`^(?:#+ *|\*\*)?(${sourceOf([...changeVerbs, ...removalVerbs, 'new'])})(?:\*\*)?:?(?:\*\*)?\s*$`,
  'i',
)
const changesHeading =
  /^(?:#+ *|\*\*)?(?:(?:the |key |main |code )?(?:changes|modifications|edits)(?: made)?|what (?:I )?changed|summary of (?:the )?changes)(?:\*\*)?:?(?:\*\*)?\s*$/i
const commandsHeading =
  /^(?:#+ *|\*\*)?commands? (?:I )?(?:run|ran|executed|used)(?:\*\*)?:?(?:\*\*)?\s*$/i

/** The verb of a heading such as `Files changed:`, for the list below it. */
export function listVerbOf(line: string): string | undefined {
  const found = fileList.exec(line) ?? verbHeading.exec(line)
  const verb = (found?.[1] ?? found?.[2])?.replace(/^new$/i, 'created')
  if (verb !== undefined) return verb
  if (changesHeading.test(line)) return 'edited'
  return commandsHeading.test(line) ? 'ran' : undefined
}
