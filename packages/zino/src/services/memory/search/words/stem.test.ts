import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { stemOf } from './stem.ts'

/** Words and stems of the published English stemmer. */
const published = `
  consign:consign consigned:consign consigning:consign consignment:consign consist:consist
  consisted:consist consistency:consist consistent:consist consistently:consist consists:consist
  consolation:consol consolatory:consolatori console:consol consoled:consol consolidate:consolid
  consolidating:consolid consolingly:consol consonant:conson conspicuous:conspicu
  conspicuously:conspicu conspiracy:conspiraci conspirator:conspir conspire:conspir
  constable:constabl constance:constanc constancy:constanc constant:constant knackeries:knackeri
  knacks:knack knave:knave knavish:knavish kneaded:knead knees:knee knell:knell knife:knife
  knightly:knight knitted:knit knobs:knob caresses:caress tied:tie gaps:gap kiwis:kiwi
  proceed:proceed exceed:exceed succeed:succeed luxuriated:luxuri hopped:hop hoped:hope cry:cri
  by:by say:say rational:ration valenci:valenc hesitanci:hesit digitizer:digit conformabli:conform
  radicalli:radic differentli:differ vileli:vile analogousli:analog vietnamization:vietnam
  predication:predic operator:oper feudalism:feudal decisiveness:decis hopefulness:hope
  callousness:callous formaliti:formal sensitiviti:sensit sensibiliti:sensibl triplicate:triplic
  formalize:formal electriciti:electr electrical:electr hopeful:hope goodness:good revival:reviv
  allowance:allow inference:infer airliner:airlin gyroscopic:gyroscop adjustable:adjust
  defensible:defens irritant:irrit replacement:replac adjustment:adjust dependent:depend
  adoption:adopt homologous:homolog communism:communism activate:activ effective:effect
  bowdlerize:bowdler rate:rate cease:ceas controll:control roll:roll beauty:beauti beau:beau
  animadversion:animadvers sprinkled:sprinkl eucharist:eucharist generate:generat generates:generat
  general:general generous:generous communicate:communic arsenal:arsenal arsenic:arsenic bed:bed
  bead:bead shed:shed feed:feed aggreed:aggre disabled:disabl fitting:fit making:make filing:file
  matting:mat mating:mate meeting:meet milling:mill messing:mess meetings:meet sized:size sing:sing
  falling:fall failing:fail filed:file dying:die lying:lie tying:tie skies:sky atlas:atlas
  cosmos:cosmos bias:bias inning:inning outing:outing canning:canning herring:herring
  earring:earring youth:youth boy:boy boyish:boyish enjoy:enjoy fluently:fluentli toy:toy
  abilities:abil fluenti:fluenti
`

describe('stemOf', () => {
  it.each([
    ['running', 'run'],
    ['runs', 'run'],
    ['hopping', 'hop'],
    ['hoping', 'hope'],
    ['ponies', 'poni'],
    ['relational', 'relat'],
    ['happiness', 'happi'],
    ['adoption', 'adopt'],
    ['agreed', 'agre'],
    ['researching', 'research'],
    ['conditional', 'condit'],
    ['falling', 'fall'],
    ['caresses', 'caress'],
    ['sky', 'sky'],
    ['gas', 'gas'],
    ['bus', 'bus'],
    ['news', 'news'],
    ['generously', 'generous'],
    ['knightly', 'knight'],
    ['youth', 'youth'],
    ['ads', 'ad'],
    ['cries', 'cri'],
    ['ties', 'tie'],
    ['leveed', 'leve'],
    ['organization', 'organ'],
    ['probate', 'probat'],
    ['controlling', 'control'],
    ['ran', 'run'],
    ['was', 'be'],
    ['a', 'a'],
    ['2024th', '2024th'],
    ['cafés', 'cafés'],
    ['été', 'été'],
  ])('maps %s to %s', (word, stem) => {
    expect(stemOf(word)).toBe(stem)
  })

  it.each([
    ['went', 'going'],
    ['children', 'child'],
    ['bought', 'buys'],
    ['frozen', 'freezing'],
    ['shelves', 'shelf'],
    ['happy', 'happily'],
    ['died', 'dies'],
    ['dying', 'die'],
    ['pie', 'pies'],
    ['lives', 'living'],
    ['quickly', 'quick'],
    ['consistently', 'consistency'],
    ['connect', 'connections'],
  ])('maps %s and %s to stems with the same beginning', (one, other) => {
    const [first, second] = [stemOf(one), stemOf(other)]
    expect(first.slice(0, 5)).toBe(second.slice(0, 5))
  })

  it.each(
    published
      .trim()
      .split(/\s+/)
      .map((pair) => pair.split(':')),
  )('maps %s to %s as Snowball does', (word, stem) => {
    expect(stemOf(word ?? '')).toBe(stem)
  })

  it('accepts every lower-case word', () => {
    fc.assert(fc.property(fc.stringMatching(/^[a-z]{1,30}$/), (word) => void stemOf(word)))
  })
})
