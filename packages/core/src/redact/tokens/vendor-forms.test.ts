import { expect, test } from 'vitest'
import { findKeys } from './runs.ts'
import { matchVendorForm } from './vendor-forms.ts'

function keysIn(text: string): [rule: string, key: string][] {
  return findKeys(text, matchVendorForm).map(({ rule, start, end }) => [
    rule,
    text.slice(start, end),
  ])
}

const body = (length: number) => 'aB3dE5fG7hJ2'.repeat(20).slice(0, length)
const discord = (length: number, last = 27) => `M${body(length - 1)}.${body(6)}.${body(last)}`
const terraform = (head: number, tail: number) => `${body(head)}.atlasv1.${body(tail)}`
const mapbox = `eyJ${body(20)}.${body(22)}`
const hex = 'a1b2c3d4'.repeat(4)

const found: [rule: string, before: string, key: string, after: string][] = [
  ['telegram_token', '', `12345678:${body(35)}`, ''],
  ['telegram_token', 'bot', `1234567890:${body(35)}`, '/get'],
  ['telegram_token', 'the token is ', `123456789:${body(35)}`, '.'],
  ['discord_token', 'a ', discord(23), ' b'],
  ['discord_token', 'a ', discord(28), ' b'],
  ['discord_token', 'a ', discord(24, 38), '.'],
  ['terraform_token', 'a ', terraform(14, 31), ' b'],
  ['terraform_token', 'a ', terraform(40, 60), '.'],
  ['mapbox_token', 'a ', `sk.${mapbox}`, ' b'],
  ['mapbox_token', '', `sk.${mapbox}`, '.'],
  ['webhook_url', 'hooks.slack.com/services/T0/B0/', body(16), ''],
  ['webhook_url', 'see https://discord.com/api/webhooks/123/', body(68), '.'],
  ['webhook_url', 'https://a.webhook.office.com/webhookb2/a@b/IncomingWebhook/', body(32), ' b'],
  ['azure_client_secret', '', `abc1Q~${body(24)}`, ''],
  ['azure_client_secret', 'a ', `a.c1Q~${body(20)}.${body(10)}`, ' b'],
  ['mailchimp_key', 'a ', `${hex}-us1`, ' b'],
  ['mailchimp_key', 'curl -u any:', `${hex}-us12`, ' b'],
  ['mailchimp_key', 'a ', `${hex}-us12`, '.'],
]

test.each(found)('a %s is found after %j', (rule, before, key, after) => {
  expect(keysIn(before + key + after)).toEqual([[rule, key]])
})

test.each([
  ['of 34 characters', `123456789:${body(34)}`],
  ['of 36 characters', `123456789:${body(36)}`],
  ['of 7 digits', `1234567:${body(35)}`],
  ['of 11 digits', `12345678901:${body(35)}`],
  ['after a dot', `.12345678:${body(35)}`],
  ['of one letter', `123456789:${'a'.repeat(35)}`],
  ['without a colon', `123456789=${body(35)}`],
])('a telegram token %s is none', (_what, text) => {
  expect(keysIn(`a ${text} b`)).toEqual([])
})

test.each([
  ['of 22 characters', discord(22)],
  ['of 29 characters', discord(29)],
  ['with a short signature', discord(24, 26)],
  ['with another first letter', `P${discord(24).slice(1)}`],
  ['of one letter', `M${'a'.repeat(23)}.${body(6)}.${body(27)}`],
  ['in two parts', `M${body(23)}`],
])('a discord token %s is none', (_what, text) => {
  expect(keysIn(`a ${text} b`)).toEqual([])
})

test.each([
  ['of terraform with 13 characters', terraform(13, 60)],
  ['of terraform with 41 characters', terraform(41, 60)],
  ['of terraform with a short secret', terraform(14, 30)],
  ['of terraform with another mark', terraform(14, 60).replace('atlasv1', 'atlasv2')],
  ['of mapbox that is public', `pk.${mapbox}`],
  ['of mapbox in a word', `task.${mapbox}`],
  ['of mapbox in one part', `sk.eyJ${body(20)}`],
  ['of mapbox without JSON', `sk.${body(23)}.${body(22)}`],
])('a token %s is none', (_what, text) => {
  expect(keysIn(`a ${text} b`)).toEqual([])
})

test.each([
  ['of a webhook with 15 characters', `hooks.slack.com/services/T0/B0/${body(15)}`],
  ['of another host', `slack.com/services/T0/B0/${body(24)}`],
  ['after a webhook and a space', `hooks.slack.com/services/T0/ ${body(24)}`],
  ['of azure with 23 characters', `abc1Q~${body(23)}`],
  ['of azure without its digit', `abcdQ~${body(31)}`],
  ['of azure with another letter', `abc1P~${body(31)}`],
  ['of azure in a word', `xabc1Q~${body(31)}`],
  ['of mailchimp with 31 digits', `${hex.slice(1)}-us12`],
  ['of mailchimp with 33 digits', `a${hex}-us12`],
  ['of mailchimp with a long data center', `${hex}-us123`],
  ['of mailchimp with capitals', `${hex.toUpperCase()}-us12`],
])('the secret %s is none', (_what, text) => {
  expect(keysIn(`a ${text} b`)).toEqual([])
})
