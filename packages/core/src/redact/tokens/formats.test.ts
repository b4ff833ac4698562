import { describe, expect, test } from 'vitest'
import type { BodyKind } from './formats.ts'
import { findTokens } from './tokens.ts'

/** Rule, characters of the body, its shortest and longest length, what must follow it: prefixes. */
const vendors = `
  adafruit_key alnum 26: aio_
  age_key upper 40: AGE-SECRET-KEY-1
  airtable_token alnum 14-14 part: pat
  alibaba_key_id alnum 16-24: LTAI
  anyscale_key alnum 20: esecret_
  artifactory_token alnum 60: AKCp
  atlassian_token dashed 20: ATBB ATCTT3 ATATT3
  aws_access_key_id upper 16-16: ACCA ABIA
  aws_access_key_id upper 16: ASIA AKIA
  aws_session_token alnum 40: FwoGZXIvYXdz IQoJb3JpZ2lu
  brevo_key dashed 40: xkeysib- xsmtpsib-
  buildkite_token hex 32: bkct_ bkua_
  cerebras_key alnum 32: csk-
  circleci_token word 32: CCIPRJ_ CCIPAT_
  clojars_token hex 40: CLOJARS_
  contentful_token dashed 32: CFPAT-
  crates_token alnum 32-32: cio
  databricks_token hex 32: dapi
  daytona_key alnum 32: dtn_
  digitalocean_token hex 40: dor_v1_ doo_v1_ dop_v1_
  docker_token dashed 20: dckr_oat_ dckr_pat_
  doppler_token alnum 32: dp.st. dp.ct. dp.pt. dp.scim. dp.audit.
  dropbox_token dashed 100: sl. sl.u.
  duffel_token dashed 40: duffel_test_ duffel_live_
  dynatrace_token alnum 20: dt0s16. dt0s01. dt0c01.
  e2b_key hex 32: e2b_
  easypost_key alnum 50: EZTK EZAK
  elevenlabs_key hex 48-48: sk_
  facebook_token alnum 80: EAA
  figma_token dashed 32: figo_ figd_
  firecrawl_key hex 32: fc-
  flutterwave_key alnum 12: FLWSECK- FLWSECK_TEST-
  fly_token dashed 32: fo1_ fm2_ fm1a_ fm1r_
  frameio_token dashed 40: fio-u-
  github_token word 12: ghr_ ghs_ ghu_ gho_ ghp_ github_pat_
  gitlab_token dashed 10: glpat-
  gitlab_token dashed 16: glft- glrt- gldt- gloas- glimt- glptt- glcbt- glffct- glsoat- glagent-
  gitlab_token dashed 16: GR1348941
  google_api_key dashed 35: AIza
  google_oauth_token dashed 20: ya29. GOCSPX-
  google_oauth_token dashed 30: 1//
  grafana_token alnum 40: eyJrIjoi
  grafana_token word 28: glc_ glsa_
  groq_key alnum 32: gsk_
  heroku_key dashed 30: HRKU-
  hubspot_token hex 8-8 uuid: pat-eu1- pat-na2- pat-na1-
  huggingface_token alnum 28: hf_ api_org_
  infracost_key alnum 30: ico-
  jina_key word 32: jina_
  langsmith_key word 32: lsv2_sk_ lsv2_pt_
  launchdarkly_key hex 8-8 uuid: api- mob- sdk-
  linear_key alnum 32: lin_api_ lin_oauth_
  mailgun_key hex 32-32: key-
  mongodb_key dashed 30: mdb_sa_sk_
  neon_key alnum 40: napi_
  netlify_token alnum 32: nfo_ nfc_ nfp_
  newrelic_key dashed 20: NRRA- NRIQ- NRII- NRAK-
  notion_token alnum 40: ntn_ secret_
  npm_token alnum 36: npm_
  nuget_key alnum 43-43: oy2
  nvidia_key dashed 40: nvapi-
  onepassword_token alnum 40: ops_eyJ
  openai_key dashed 20: sk-
  openshift_token dashed 40-44: sha256~
  perplexity_key alnum 32: pplx-
  pinecone_key word 40: pcsk_
  plaid_token hex 8-8 uuid: access-sandbox- access-production- access-development-
  planetscale_token dashed 28: pscale_pw_ pscale_tkn_ pscale_oauth_
  polar_token word 32: polar_pat_ polar_oat_
  posthog_key alnum 32: phx_
  postman_key dashed 50: PMAK-
  prefect_key alnum 32: pnu_
  pulumi_token hex 40: pul-
  pypi_token dashed 40: pypi-
  readme_key alnum 60: rdme_
  replicate_token alnum 30: r8_
  resend_key word 24-36: re_
  rubygems_token hex 32: rubygems_
  runpod_key alnum 32: rpa_
  scaleway_key upper 17-17: SCW
  sendgrid_key dashed 16 part: SG.
  sentry_token word 32: sntryu_ sntrys_
  shippo_token hex 32: shippo_test_ shippo_live_
  shopify_token alnum 32: shpss_ shppa_ shpca_ shpat_
  slack_token dashed 20: xoxd- xoxc- xapp-
  slack_token dashed 8: xoxs- xoxr- xoxp- xoxe- xoxb- xoxa-
  sonar_token hex 40: sqa_ sqp_ squ_
  sourcegraph_token word 40: sgd_ sgp_ sgph_
  square_token dashed 20: sq0idp- sq0csp- sq0atp-
  square_token dashed 56: EAAA
  stripe_key alnum 16: rk_test_ sk_test_ rk_live_ sk_live_
  stripe_key alnum 24: whsec_
  supabase_key word 24: sbp_ sb_secret_
  tailscale_key dashed 20: tskey-
  tavily_key dashed 20: tvly-
  tencent_key_id alnum 32: AKID
  together_key dashed 30: tgp_v1_
  twilio_key hex 32-32: SK
  typeform_token dashed 40: tfp_
  vault_token dashed 20: hvr. hvb. hvs.
  vercel_token word 24: vck_ vcr_ vca_ vci_ vcp_ vercel_blob_rw_
  voyage_key dashed 40: pa-
  wakatime_key hex 8-8 uuid: waka_
  xai_key alnum 40: xai-
  yandex_token dashed 34: t1. y0_ AQVN
`

/** Generated texts with the characters of each kind. */
const generated: Record<BodyKind, string> = {
  alnum: 'aB3dE5fG7hJ2',
  word: 'aB3_E5fG7hJ2',
  dashed: 'aB3-E5_G7hJ2',
  hex: 'a1b2c3d4e5f6',
  upper: 'A7B3C5D2E4F6',
}

/** A character that ends the body. */
const endings: Record<BodyKind, string> = {
  alnum: '_',
  word: '-',
  dashed: '+',
  hex: 'g',
  upper: 'z',
}

const tails: Record<string, string> = {
  uuid: '-a1b2-c3d4-e5f6-a1b2c3d4e5f6',
  part: `.${'aB3d'.repeat(4)}`,
}

interface Vendor {
  rule: string
  kind: BodyKind
  min: number
  max: number | undefined
  tail: string
  prefix: string
}

const rows = vendors
  .trim()
  .split('\n')
  .flatMap((line): Vendor[] => {
    const [format = '', prefixes = ''] = line.trim().split(': ')
    const [rule = '', kind = '', lengths = '', tail = ''] = format.split(' ')
    const [min, max] = lengths.split('-').map(Number)
    const shared = { rule, kind: kind as BodyKind, min: min ?? 0, max, tail: tails[tail] ?? '' }
    return prefixes.split(' ').map((prefix) => ({ ...shared, prefix }))
  })

function bodyOf(kind: BodyKind, length: number): string {
  return generated[kind].repeat(Math.ceil(length / 12)).slice(0, length)
}

/** The whole matches of the rule, so that the match of a longer or shorter text is not mistaken for it. */
function matchesOf(rule: string, text: string): string[] {
  return [...findTokens(text)]
    .filter((span) => span.label.name === rule)
    .map(({ start, end }) => text.slice(start, end))
}

describe('the table of keys with a known prefix', () => {
  test.each(rows)('$rule starts with $prefix', ({ rule, kind, min, max, tail, prefix }) => {
    const shortest = prefix + bodyOf(kind, min) + tail
    expect(matchesOf(rule, `"${shortest}"`)).toEqual([shortest])
    expect(matchesOf(rule, `"${prefix}${bodyOf(kind, min - 1)}${tail}"`)).toEqual([])
    const cut = `${prefix}${bodyOf(kind, min - 1)}${endings[kind]}${bodyOf(kind, 20)}${tail}`
    expect(matchesOf(rule, `"${cut}"`)).toEqual([])
    if (tail !== '') expect(matchesOf(rule, `"${prefix}${bodyOf(kind, min)}"`)).toEqual([])
    if (max === undefined) {
      const long = prefix + bodyOf(kind, min + 60) + tail
      expect(matchesOf(rule, `"${long}"`)).toEqual([long])
    } else {
      const longest = prefix + bodyOf(kind, max) + tail
      expect(matchesOf(rule, `"${longest}"`)).toEqual([longest])
      expect(matchesOf(rule, `"${prefix}${bodyOf(kind, max + 1)}${tail}"`)).toEqual([])
    }
  })

  test.each([
    ['github_token', 'ghp_', 'a'],
    ['slack_token', 'xoxb-', 'a'],
    ['aws_access_key_id', 'AKIA', 'A'],
    ['google_api_key', 'AIza', 'a'],
    ['gitlab_token', 'glpat-', 'a'],
    ['npm_token', 'npm_', 'a'],
    ['stripe_key', 'sk_live_', 'A'],
    ['square_token', 'sq0atp-', 'a'],
    ['newrelic_key', 'NRAK-', 'a'],
    ['age_key', 'AGE-SECRET-KEY-1', 'A'],
    ['dynatrace_token', 'dt0c01.', 'a'],
  ])('the body of a %s after %s need not look generated', (rule, prefix, letter) => {
    const token = prefix + letter.repeat(40)
    expect(matchesOf(rule, `"${token}"`)).toEqual([token])
  })

  test.each([
    ['huggingface_token', 'hf_'],
    ['stripe_key', 'sk_test_'],
    ['linear_key', 'lin_api_'],
  ])('a word after the prefix of a %s is a name and no key', (rule, prefix) => {
    expect(matchesOf(rule, `"${prefix}${'a'.repeat(40)}"`)).toEqual([])
  })

  test('an AWS key id is found after 24 letters and digits without a separator', () => {
    const key = `AKIA${'IOSF7X2Q'.repeat(2)}`
    expect(matchesOf('aws_access_key_id', `${'f0'.repeat(12)}${key}`)).toEqual([key])
  })
})
