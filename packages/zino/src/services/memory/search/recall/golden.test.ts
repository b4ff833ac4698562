// Scores of a fixed conversation. The brute-force reference uses the same constants, so only fixed values
// show that one of them has changed.
import { describe, expect, it } from 'vitest'
import { MemoryIndex } from '../memory-index.ts'
import { RecallRanking } from './recall.ts'

const sessions: Readonly<Record<string, readonly string[]>> = {
  'session 1': [
    'Anna: Hi Ben, how was your trip to the harbour?',
    'Ben: Great! We took the blue boat on 3 May 2023 and stayed until 7 pm.',
    'Anna: Who came along with you?',
    'Ben: My sister Clara and her two dogs.',
    'Anna: I love dogs. Mine ran through the garden yesterday.',
    'Ben: What is the name of your dog?',
    'Anna: Rex. He is 4 years old.',
    'Ben: Nice.',
  ],
  'session 2': [
    'Ben: I started to paint in March.',
    'Anna: What do you paint?',
    'Ben: Boats, mostly. The harbour at sunrise, with the old lighthouse near it.',
    'Anna: Could you bring a painting to the party at 6 pm?',
    'Ben: Sure, I will bring two.',
    `Clara: ${'We talked about painting, boats, gardens, and the long way home from the harbour. '.repeat(4)}`,
    `Anna: ${'The party was long, the music loud, and everybody danced with the dogs in the garden. '.repeat(6)}`,
    'Ben: The blue boat needs new paint.',
  ],
  'session 3': [
    'Clara: When does the ferry to the island leave?',
    'Ben: It leaves at 9:30 on Sunday.',
    'Clara: How many tickets do we need?',
    'Ben: Five tickets, one for each of us.',
    'Anna: Rex needs a ticket too!',
    'Clara: Dogs travel for free.',
  ],
}

const index = new MemoryIndex({ stems: true })
for (const [tag, texts] of Object.entries(sessions)) {
  for (const text of texts) index.add([text], tag)
}
const ranking = new RecallRanking(index)

describe('the ranking "recall" of a fixed conversation', () => {
  it.each<[string, string[], string[]]>([
    [
      'What is the name of the dog of Anna?',
      [
        '6 60.79150',
        '4 41.42835',
        '5 29.45731',
        '3 25.01568',
        '2 15.83157',
        '14 15.81684',
        '1 10.98141',
        '0 9.239930',
      ],
      ['0.70318 anna', '0.70318 dog anna', '0.70318 name dog'],
    ],
    [
      'When did Ben take the blue boat?',
      [
        '1 115.6714',
        '15 54.74994',
        '3 39.21896',
        '10 26.52826',
        '13 23.32150',
        '12 23.16293',
        '0 19.27736',
        '5 15.32516',
      ],
      ['1.0000 ben take blue boat', '0.87236 ben blue boat', '0.66588 ben'],
    ],
    [
      'How many tickets are needed for the ferry?',
      ['19 47.01511', '20 32.83582', '18 27.75606', '17 25.74419', '16 15.06065', '15 6.213326'],
      ['0.72300 tickets', '0.72300 tickets needed', '0.72300 tickets needed'],
    ],
    [
      'What does Ben paint?',
      [
        '10 36.79557',
        '12 32.25263',
        '8 31.10705',
        '15 26.82034',
        '13 23.48955',
        '11 15.37165',
        '9 15.22225',
        '1 12.56347',
      ],
      ['0.77098 ben', '0.77098 ben', '0.77098 ben paint'],
    ],
    [
      'Who came to the harbour with Ben?',
      [
        '1 37.26681',
        '3 30.18290',
        '10 21.69133',
        '12 16.48108',
        '13 16.35227',
        '2 14.20363',
        '0 12.90083',
        '15 10.85122',
      ],
      ['0.68919 ben', '0.68919 ben', '0.68919 harbour ben'],
    ],
    [
      'party music garden dogs',
      [
        '14 60.34898',
        '13 16.82255',
        '4 13.91156',
        '12 10.12255',
        '3 8.844327',
        '6 8.475386',
        '5 7.826216',
        '11 6.973912',
      ],
      ['1.0000 party music garden dogs', '0.45708 garden', '0.37799 garden dogs'],
    ],
    [
      'old lighthouse at sunrise',
      ['10 42.10557', '6 5.959568'],
      ['1.0000 old lighthouse sunrise', '0.18949 old'],
    ],
    [
      'When does the ferry leave?',
      ['17 34.91037', '16 26.16932'],
      ['0.60000', '0.60000 ferry leave'],
    ],
    [
      'paintings of the harbor',
      [
        '13 28.82516',
        '10 24.08851',
        '12 17.22360',
        '15 14.03920',
        '11 13.71143',
        '8 12.28688',
        '9 12.09740',
        '1 5.347585',
      ],
      ['0.95712 paintings harbor', '0.77153 harbor', '0.60000'],
    ],
  ])('has the same scores for %j', (query, scores, hits) => {
    const found = ranking.rank(query, 8).map(({ id, score }) => `${id} ${score.toPrecision(7)}`)
    const shown = ranking.search(query, 3).map(({ score, why }) => [score.toPrecision(5), ...why])
    expect(found).toEqual(scores)
    expect(shown.map((words) => words.join(' '))).toEqual(hits)
  })

  it.each([
    ['adds nothing to', 'zebra', 'boat'],
    ['gains nothing from', 'boat', 'zebra'],
  ])('a memory of more than 80 words %s its neighbours', (_, longWord, word) => {
    const scores = [79, 80, 81].map((length) => {
      const long = `${longWord} ${'so '.repeat(length - 1)}`
      const index = new MemoryIndex({ stems: true })
      for (const text of [long, `${word} trip`]) index.add([text], '')
      const found = new RecallRanking(index).rank('zebra boat', 2)
      return found.find(({ id }) => id === (longWord === 'zebra' ? 1 : 0))?.score ?? 0
    }) as [number, number, number]
    expect(scores[1] - scores[2]).toBeGreaterThan(10 * Math.abs(scores[0] - scores[1]))
  })
})
