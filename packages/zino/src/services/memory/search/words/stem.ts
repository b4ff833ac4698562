// The English stemmer of Snowball ("Porter 2"), after a table of irregular forms (went, children). Words
// with characters other than a-z stay unchanged.

const irregularForms = `
go:went,gone be:was,were,been buy:bought see:saw,seen take:took,taken make:made get:got,gotten
give:gave,given find:found think:thought tell:told feel:felt leave:left keep:kept
begin:began,begun write:wrote,written run:ran meet:met bring:brought speak:spoke,spoken
teach:taught learn:learnt sell:sold lose:lost eat:ate,eaten drink:drank,drunk swim:swam,swum
ride:rode,ridden drive:drove,driven fly:flew,flown draw:drew,drawn grow:grew,grown
know:knew,known choose:chose,chosen build:built spend:spent send:sent lead:led hold:held
stand:stood understand:understood sing:sang,sung catch:caught fight:fought sleep:slept
wear:wore,worn break:broke,broken fall:fell,fallen hear:heard pay:paid say:said sit:sat
become:became come:came steal:stole,stolen forget:forgot,forgotten throw:threw,thrown
show:shown wake:woke,woken win:won shoot:shot lend:lent hide:hid,hidden forgive:forgave,forgiven
bear:bore,born bend:bent bite:bit,bitten bleed:bled blow:blew,blown breed:bred burn:burnt
deal:dealt dig:dug dream:dreamt feed:fed flee:fled freeze:froze,frozen hang:hung kneel:knelt lay:laid
light:lit mean:meant rise:rose,risen seek:sought sew:sewn shake:shook,shaken shine:shone shrink:shrank,shrunk
sink:sank,sunk slide:slid spin:spun spring:sprang,sprung stick:stuck sting:stung strike:struck
swear:swore,sworn sweep:swept swing:swung tear:tore,torn weep:wept wind:wound ring:rang,rung
die:dying lie:lying tie:tying sky:skies
half:halves leaf:leaves live:life,lives loaf:loaves shelf:shelves thief:thieves wolf:wolves goose:geese
child:children man:men woman:women foot:feet tooth:teeth mouse:mice person:people wife:wives knife:knives
`

const baseForms: ReadonlyMap<string, string> = new Map(
  irregularForms
    .split(/\s+/)
    .filter(Boolean)
    .flatMap((entry) => {
      const [base, forms] = entry.split(':') as [string, string]
      return forms.split(',').map((form): [string, string] => [form, base])
    }),
)

/** A suffix, its replacement, and the letters of which one must precede it. */
interface Rule {
  suffix: string
  replacement: string
  after: string
}

/** The beginnings after which the first region starts, against the rule. */
const regionExceptions = ['gener', 'commun', 'arsen']
/** Words that look inflected but are not. */
const uninflected = new Set(
  'inning outing canning herring earring proceed exceed succeed sky news atlas cosmos bias'.split(
    ' ',
  ),
)
const derived = rules(`tional:tion enci:ence anci:ance abli:able entli:ent izer:ize ization:ize
  ational:ate ation:ate ator:ate alism:al aliti:al alli:al fulness:ful ousli:ous ousness:ous
  iveness:ive iviti:ive biliti:ble bli:ble ogi:og:l fulli:ful lessli:less li::cdeghkmnrt`)
const qualified = rules('tional:tion ational:ate alize:al icate:ic iciti:ic ical:ic ful: ness:')
const residual = rules(`al: ance: ence: er: ic: able: ible: ant: ement: ment: ent: ism: ate: iti:
  ous: ive: ize: ion::st ative:`)

/** The stem of a lower-case word. */
export function stemOf(word: string): string {
  if (word.length < 3 || !/^[a-z]+$/.test(word)) return word
  const base = baseForms.get(word) ?? word
  if (base.length < 3 || uninflected.has(base)) return base
  // A consonant y is written Y.
  let stem = base.replace(/^y|(?<=[aeiouy])y/g, 'Y')
  const first = firstRegion(stem)
  const second = regionAfter(stem, first)
  stem = withoutPlural(stem)
  if (uninflected.has(stem)) return stem
  stem = withoutTense(stem, first)
  if (/.[^aeiouy][yY]$/.test(stem)) stem = `${stem.slice(0, -1)}i`
  stem = replaceSuffix(stem, derived, first)
  stem = replaceSuffix(stem, qualified, first)
  stem = replaceSuffix(stem, residual, second)
  return withoutLastLetter(stem, first, second).toLowerCase()
}

function rules(text: string): readonly Rule[] {
  return (
    text
      .split(/\s+/)
      .filter(Boolean)
      .map((entry): Rule => {
        const [suffix, replacement, after = ''] = entry.split(':') as [string, string, string?]
        return { suffix, replacement, after }
      })
      // The longest matching suffix applies.
      .sort((one, other) => other.suffix.length - one.suffix.length)
  )
}

function firstRegion(word: string): number {
  const exception = regionExceptions.find((beginning) => word.startsWith(beginning))
  return exception === undefined ? regionAfter(word, 0) : exception.length
}

/** The position after the first consonant that follows a vowel, or the end. */
function regionAfter(word: string, start: number): number {
  const at = word.slice(start).search(/[aeiouy][^aeiouy]/)
  return at === -1 ? word.length : start + at + 2
}

function withoutPlural(word: string): string {
  if (word.endsWith('sses')) return word.slice(0, -2)
  if (/ie[sd]$/.test(word)) return word.slice(0, word.length > 4 ? -2 : -1)
  return /[aeiouy].*[^us]s$/.test(word) ? word.slice(0, -1) : word
}

function withoutTense(word: string, first: number): string {
  const agreed = /eed(?:ly)?$/.exec(word)
  if (agreed !== null) return agreed.index >= first ? word.slice(0, agreed.index + 2) : word
  const stem = word.replace(/(?:ed|ing)(?:ly)?$/, '')
  if (stem === word || !/[aeiouy]/.test(stem)) return word
  if (/(?:at|bl|iz)$/.test(stem)) return `${stem}e`
  if (/(?:bb|dd|ff|gg|mm|nn|pp|rr|tt)$/.test(stem)) return stem.slice(0, -1)
  return stem.length <= first && endsInShortSyllable(stem) ? `${stem}e` : stem
}

/** Replaces the longest suffix of the table if it begins at `start` or later. */
function replaceSuffix(word: string, table: readonly Rule[], start: number): string {
  const rule = table.find(({ suffix }) => word.endsWith(suffix))
  if (rule === undefined) return word
  const end = word.length - rule.suffix.length
  const isAllowed = rule.after === '' || rule.after.includes(word.charAt(end - 1))
  return end >= start && isAllowed ? word.slice(0, end) + rule.replacement : word
}

function withoutLastLetter(word: string, first: number, second: number): string {
  const end = word.length - 1
  const before = word.slice(0, end)
  if (word.endsWith('e')) {
    return end >= second || (end >= first && !endsInShortSyllable(before)) ? before : word
  }
  return word.endsWith('ll') && end >= second ? before : word
}

/** Consonant, vowel, consonant other than w, x or y; or a vowel and a consonant as the whole word. */
function endsInShortSyllable(word: string): boolean {
  return /(?:[^aeiouy][aeiouy][^aeiouywxY]|^[aeiouy][^aeiouy])$/.test(word)
}
