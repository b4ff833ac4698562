// What ctx injects: answers to questions about a conversation, and nothing for unrelated questions.
import { describe, expect, it } from 'vitest'
import { tunedConversation, unseenConversation } from '../../../../../test/recall/conversations.ts'
import { unrelatedQuestions } from '../../../../../test/recall/unrelated-questions.ts'
import { zinoConfig } from '../../../../config/schema.ts'
import { MemoryIndex } from '../memory-index.ts'
import { RecallRanking } from './recall.ts'

const { min_score: minScore, history_top_k: topK } = zinoConfig.schema.parse({}).ctx

describe.each([
  ['tuned', tunedConversation],
  ['unseen', unseenConversation],
])('with the %s conversation', (_name, { turns, questions }) => {
  const index = new MemoryIndex({ stems: true })
  for (const turn of turns) index.add([turn], '')
  const ranking = new RecallRanking(index)
  const injected = (query: string) =>
    ranking.search(query, topK).filter(({ score }) => score >= minScore)

  it('at least 60 % of the questions get a turn that answers them', () => {
    const useful = questions.filter(([question, answers]) =>
      injected(question).some(({ id }) => answers.includes(id)),
    )
    expect(useful.length / questions.length).toBeGreaterThanOrEqual(0.6)
  })

  it('at most 5 % of 200 unrelated questions get anything', () => {
    expect(unrelatedQuestions).toHaveLength(200)
    const wrong = unrelatedQuestions.filter((question) => injected(question).length > 0)
    expect(wrong.length / unrelatedQuestions.length).toBeLessThanOrEqual(0.05)
  })
})
