// The Porter stemmer (1980) for English, plus a table of irregular forms (went, children). Words with
// characters other than a-z stay unchanged.

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
half:halves leaf:leaves life:lives loaf:loaves shelf:shelves thief:thieves wolf:wolves goose:geese
child:children man:men woman:women foot:feet tooth:teeth mouse:mice person:people wife:wives knife:knives
`

const baseForms: ReadonlyMap<string, string> = new Map(
  irregularForms
    .split(/\s+/)
    .filter(Boolean)
    .flatMap((entry) => {
      const [base = '', forms = ''] = entry.split(':')
      return forms.split(',').map((form): [string, string] => [form, base])
    }),
)

/** A suffix and its replacement. */
type Rule = readonly [suffix: string, replacement: string]

const derived = rules(`ational:ate tional:tion enci:ence anci:ance izer:ize abli:able alli:al
  entli:ent eli:e ousli:ous ization:ize ation:ate ator:ate alism:al iveness:ive fulness:ful
  ousness:ous aliti:al iviti:ive biliti:ble logi:log`)
const qualified = rules('icate:ic ative: alize:al iciti:ic ical:ic ful: ness:')
const residual = rules(`al: ance: ence: er: ic: able: ible: ant: ement: ment: ent: sion:s tion:t ou:
  ism: ate: iti: ous: ive: ize:`)

/** The stem of a lower-case word. */
export function stemOf(word: string): string {
  if (word.length < 3 || !/^[a-z]+$/.test(word)) return word
  let stem = baseForms.get(word) ?? word
  if (stem.length < 3) return stem
  stem = withoutPlural(stem)
  stem = withoutTense(stem)
  if (stem.endsWith('y') && hasVowel(stem.slice(0, -1))) stem = `${stem.slice(0, -1)}i`
  stem = replaceSuffix(stem, derived, 0)
  stem = replaceSuffix(stem, qualified, 0)
  stem = replaceSuffix(stem, residual, 1)
  return withoutLastE(stem)
}

function rules(text: string): readonly Rule[] {
  return (
    text
      .split(/\s+/)
      .filter(Boolean)
      .map((entry): Rule => {
        const [suffix = '', replacement = ''] = entry.split(':')
        return [suffix, replacement]
      })
      // The longest matching suffix applies.
      .sort((one, other) => other[0].length - one[0].length)
  )
}

function withoutPlural(word: string): string {
  if (word.endsWith('sses') || word.endsWith('ies')) return word.slice(0, -2)
  return word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word
}

function withoutTense(word: string): string {
  if (word.endsWith('eed')) return measure(word.slice(0, -3)) > 0 ? word.slice(0, -1) : word
  const suffix = ['ed', 'ing'].find((end) => word.endsWith(end))
  if (suffix === undefined) return word
  const stem = word.slice(0, -suffix.length)
  if (!hasVowel(stem)) return word
  if (/(?:at|bl|iz)$/.test(stem)) return `${stem}e`
  if (endsInDouble(stem)) return /[lsz]$/.test(stem) ? stem : stem.slice(0, -1)
  return measure(stem) === 1 && endsInShortSyllable(stem) ? `${stem}e` : stem
}

function replaceSuffix(word: string, table: readonly Rule[], above: number): string {
  const rule = table.find(([suffix]) => word.endsWith(suffix))
  if (rule === undefined) return word
  const [suffix, replacement] = rule
  const stem = word.slice(0, word.length - suffix.length) + replacement
  const before = word.slice(0, word.length - suffix.length + (isIon(suffix) ? 1 : 0))
  return measure(before) > above ? stem : word
}

/** `ion` is removed only after s or t, which stay and count for the measure. */
function isIon(suffix: string): boolean {
  return suffix === 'sion' || suffix === 'tion'
}

function withoutLastE(word: string): string {
  let stem = word
  if (stem.endsWith('e')) {
    const before = stem.slice(0, -1)
    const size = measure(before)
    if (size > 1 || (size === 1 && !endsInShortSyllable(before))) stem = before
  }
  return stem.endsWith('ll') && measure(stem) > 1 ? stem.slice(0, -1) : stem
}

/** Porter's measure: the number of vowel-consonant transitions. */
function measure(stem: string): number {
  let count = 0
  let afterVowel = false
  for (let at = 0; at < stem.length; at += 1) {
    const vowel = isVowel(stem, at)
    if (afterVowel && !vowel) count += 1
    afterVowel = vowel
  }
  return count
}

function hasVowel(stem: string): boolean {
  for (let at = 0; at < stem.length; at += 1) if (isVowel(stem, at)) return true
  return false
}

function isVowel(stem: string, at: number): boolean {
  const letter = stem[at] as string
  if (letter !== 'y') return 'aeiou'.includes(letter)
  return at > 0 && !isVowel(stem, at - 1)
}

function endsInDouble(stem: string): boolean {
  const last = stem.length - 1
  return last > 0 && stem[last] === stem[last - 1] && !isVowel(stem, last)
}

/** Consonant, vowel, consonant, the last one not w, x or y. */
function endsInShortSyllable(stem: string): boolean {
  const last = stem.length - 1
  if (last < 2 || /[wxy]$/.test(stem)) return false
  return !isVowel(stem, last) && isVowel(stem, last - 1) && !isVowel(stem, last - 2)
}
