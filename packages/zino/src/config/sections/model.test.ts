import { providers } from '@zee/llm'
import { expect, it } from 'vitest'
import { providerNames } from './model.ts'

it('ZINO.toml takes the providers that llm has', () => {
  expect(providerNames).toEqual(providers.map(({ name }) => name))
})
