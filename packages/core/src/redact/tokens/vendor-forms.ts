// Keys without a prefix of their own: the form of a run of characters, or the text around it, tells.
import type { RunRule } from './runs.ts'
import { endOfRun, isGenerated } from './runs.ts'

/** Examines a run of at least 13 token characters; the characters around it choose the form. */
export const matchVendorForm: RunRule = (text, start, end) =>
  discordToken(text, start, end) ??
  terraformToken(text, start, end) ??
  mapboxToken(text, start, end) ??
  telegramToken(text, start, end) ??
  webhookUrl(text, start, end) ??
  azureClientSecret(text, start) ??
  mailchimpKey(text, start, end)

/** `123456789:` and 35 characters. */
function telegramToken(text: string, start: number, end: number): ReturnType<RunRule> {
  if (text[start - 1] !== ':' || end - start !== 35 || !isGenerated(text, start, end)) {
    return undefined
  }
  const bot = /(?:^|[^\d.])(\d{8,10}):$/.exec(text.slice(Math.max(0, start - 12), start))?.[1]
  return bot === undefined
    ? undefined
    : { rule: 'telegram_token', start: start - bot.length - 1, end }
}

const discordRest = /\.[\w-]{6}\.[\w-]{27}[\w-]*/y

/** A user id in base64, a time stamp and a signature. */
function discordToken(text: string, start: number, end: number): ReturnType<RunRule> {
  if (text[end] !== '.' || end - start < 23 || end - start > 28) return undefined
  if (!/[MNO]/.test(text.charAt(start)) || !isGenerated(text, start, end)) return undefined
  discordRest.lastIndex = end
  if (!discordRest.test(text)) return undefined
  return { rule: 'discord_token', start, end: discordRest.lastIndex }
}

const webhook =
  /(?:hooks\.slack\.com\/(?:services|workflows|triggers)\/[\w/]{1,60}\/|discord(?:app)?\.com\/api\/(?:v\d+\/)?webhooks\/\d{1,20}\/|\.webhook\.office\.com\/webhookb2\/[\w@/.-]{1,160}\/)$/

/** The last part of the URL of an incoming webhook. */
function webhookUrl(text: string, start: number, end: number): ReturnType<RunRule> {
  if (text[start - 1] !== '/' || end - start < 16) return undefined
  if (!webhook.test(text.slice(Math.max(0, start - 240), start))) return undefined
  return { rule: 'webhook_url', start, end }
}

/** 32 hexadecimal digits and the data center. */
function mailchimpKey(text: string, start: number, end: number): ReturnType<RunRule> {
  mailchimp.lastIndex = start
  return mailchimp.test(text) ? { rule: 'mailchimp_key', start, end } : undefined
}

const mailchimp = /[0-9a-f]{32}-us\d{1,2}(?![\w-])/y

const azureRest = /[\w.~-]{24}[\w.~-]*/y

/** Three characters, a digit, `Q~` and at least 31 characters. */
function azureClientSecret(text: string, start: number): ReturnType<RunRule> {
  if (text[start - 1] !== '~') return undefined
  const head = /(?:^|[^\w.~-])([\w.~-]{3}\dQ~)$/.exec(
    text.slice(Math.max(0, start - 7), start),
  )?.[1]
  if (head === undefined) return undefined
  azureRest.lastIndex = start
  if (!azureRest.test(text)) return undefined
  return { rule: 'azure_client_secret', start: start - head.length, end: azureRest.lastIndex }
}

/** 14 characters, `.atlasv1.` and at least 60 characters. */
function terraformToken(text: string, start: number, end: number): ReturnType<RunRule> {
  const mark = '.atlasv1.'
  if (end - start < 14 || end - start > 40 || !text.startsWith(mark, end)) return undefined
  const bodyEnd = endOfRun(text, end + mark.length)
  return bodyEnd - end < 40 ? undefined : { rule: 'terraform_token', start, end: bodyEnd }
}

/** A secret token of Mapbox is `sk.` and two parts of base64url. */
function mapboxToken(text: string, start: number, end: number): ReturnType<RunRule> {
  if (!text.startsWith('eyJ', start) || !text.startsWith('sk.', start - 3)) return undefined
  if (text[end] !== '.' || /[A-Za-z0-9]/.test(text.charAt(start - 4))) return undefined
  return { rule: 'mapbox_token', start: start - 3, end: endOfRun(text, end + 1) }
}
