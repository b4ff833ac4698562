import { describe, expect, it } from 'vitest'
import { splitClauses } from '../clauses.ts'
import { ruleExamples } from './rules.fixtures.ts'
import { rules } from './rules.ts'

function claimsOf(name: string, sentence: string): unknown[] {
  const rule = rules.find((each) => each.name === name)
  if (rule === undefined) throw new Error(`no rule ${name}`)
  return splitClauses(sentence)
    .filter(({ isNegated }) => !isNegated || rule.allowsNegation === true)
    .flatMap((clause) => rule.find(clause.text, clause))
}

it('every rule has examples, and every example belongs to a rule', () => {
  expect(Object.keys(ruleExamples).sort()).toEqual(rules.map(({ name }) => name).sort())
})

describe.each(Object.entries(ruleExamples))('the rule "%s"', (name, { positive, negative }) => {
  it.each(positive.map((sentence) => [sentence]))('finds a claim in: %s', (sentence) => {
    expect(claimsOf(name, sentence)).not.toEqual([])
  })

  it.each(negative.map((sentence) => [sentence]))('finds none in: %s', (sentence) => {
    expect(claimsOf(name, sentence)).toEqual([])
  })
})
