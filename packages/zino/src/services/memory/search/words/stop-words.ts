// English stop words. A query drops them unless it has no other word; memories keep all their words.

const list = `
a an the and or but if because of to in on at by for from with about as into onto over under after
before between during through against within without out up down off again then than so too very
just also only even still yet ever never always often once no nor not any some all each both every
few more most much many other another own same such either neither
what when where who whom whose which why how
is are was were be been being am do does did doing done have has had having can could will would
shall should might must ought cannot
i me my mine myself we us our ours ourselves you your yours yourself he him his himself she her hers
herself it its itself they them their theirs themselves this that these those there here one
s t d ll m re ve don didn doesn isn aren wasn weren hasn haven hadn wouldn couldn shouldn ain
didnt doesnt dont isnt im ive youre thats whats
please let lets
`

export const stopWords: ReadonlySet<string> = new Set(list.split(/\s+/).filter(Boolean))

export function isStopWord(word: string): boolean {
  return stopWords.has(word)
}
