// The table of keys with a known prefix. A row adds a vendor: the name of its rule, the prefixes, the
// characters of the body and its minimum length.

/** Characters of a body: letters and digits, plus `_`, plus `-`; lower-case hex; capitals and digits. */
export type BodyKind = 'alnum' | 'word' | 'dashed' | 'hex' | 'upper'

export interface TokenFormat {
  rule: string
  prefix: string
  body: BodyKind
  /** Minimum length of the body. */
  min: number
  /** A longer body is another thing, for example a hash. */
  max?: number
  /** The prefix may follow a letter: it is distinctive enough. */
  isAnywhere?: true
  /** The prefix may follow 24 or more letters or digits. */
  isInFiller?: true
  /** The body may be a word, because the prefix is distinctive enough. */
  isAnyBody?: true
  /** Matches directly after the body, and belongs to the token. */
  rest?: RegExp
  /** Without `rest` there is no match. */
  needsRest?: true
  /** Rejects a name that has the form of a key, such as `sk-learn-contrib-extension`. */
  excludes?: RegExp
}

type Extra = Omit<Partial<TokenFormat>, 'rule' | 'prefix' | 'body' | 'min'>
type Row = readonly [rule: string, prefixes: string, body: BodyKind, min: number, extra?: Extra]

const distinctive: Extra = { isAnywhere: true, isAnyBody: true }
const routableTail = /\.[a-z0-9]{2}\.[a-z0-9]{7,12}/y
const secondPart = /\.[A-Za-z0-9_-]{16}[A-Za-z0-9_-]*/y
/** The end of a UUID after its first eight digits. */
const uuidTail = /-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/y
const uuid: Extra = { max: 8, rest: uuidTail, needsRest: true }

/** Words in lower case with hyphens, none of 16 letters or more. */
const hyphenatedWords = /^(?=[a-z-]*$)(?!.*\w{16})/

/** A generated body of 20 characters may have neither a digit nor many capitals. */
const keyLike: Extra = { isAnyBody: true, excludes: hyphenatedWords }

const rows: readonly Row[] = [
  ['github_token', 'ghp_ gho_ ghu_ ghs_ ghr_', 'word', 12, distinctive],
  ['github_token', 'github_pat_', 'word', 12, distinctive],
  ['openai_key', 'sk-', 'dashed', 20, keyLike],
  ['slack_token', 'xoxa- xoxb- xoxe- xoxp- xoxr- xoxs-', 'dashed', 8, distinctive],
  ['slack_token', 'xapp- xoxc- xoxd-', 'dashed', 20],
  ['aws_access_key_id', 'AKIA ASIA', 'upper', 16, { isAnyBody: true, isInFiller: true }],
  ['aws_access_key_id', 'ABIA ACCA', 'upper', 16, { max: 16 }],
  ['aws_session_token', 'IQoJb3JpZ2lu FwoGZXIvYXdz', 'alnum', 40],
  ['google_api_key', 'AIza', 'dashed', 35, distinctive],
  ['google_oauth_token', 'GOCSPX-', 'dashed', 20, keyLike],
  ['gitlab_token', 'glpat-', 'dashed', 10, { ...distinctive, rest: routableTail }],
  [
    'gitlab_token',
    'gldt- glrt- glcbt- glptt- glft- glimt- glagent- gloas- glsoat- glffct- GR1348941',
    'dashed',
    16,
    { ...keyLike, rest: routableTail },
  ],
  ['npm_token', 'npm_', 'alnum', 36, distinctive],
  ['pypi_token', 'pypi-', 'dashed', 40],
  ['rubygems_token', 'rubygems_', 'hex', 32],
  ['crates_token', 'cio', 'alnum', 32, { max: 32 }],
  ['nuget_key', 'oy2', 'alnum', 43, { max: 43 }],
  ['docker_token', 'dckr_pat_ dckr_oat_', 'dashed', 20, keyLike],
  ['clojars_token', 'CLOJARS_', 'hex', 40],
  ['artifactory_token', 'AKCp', 'alnum', 60],
  ['huggingface_token', 'hf_ api_org_', 'alnum', 28],
  ['groq_key', 'gsk_', 'alnum', 32],
  ['xai_key', 'xai-', 'alnum', 40],
  ['replicate_token', 'r8_', 'alnum', 30],
  ['perplexity_key', 'pplx-', 'alnum', 32],
  ['nvidia_key', 'nvapi-', 'dashed', 40],
  ['together_key', 'tgp_v1_', 'dashed', 30],
  ['cerebras_key', 'csk-', 'alnum', 32],
  ['pinecone_key', 'pcsk_', 'word', 40],
  ['langsmith_key', 'lsv2_pt_ lsv2_sk_', 'word', 32],
  ['jina_key', 'jina_', 'word', 32],
  ['tavily_key', 'tvly-', 'dashed', 20],
  ['e2b_key', 'e2b_', 'hex', 32],
  ['firecrawl_key', 'fc-', 'hex', 32],
  ['runpod_key', 'rpa_', 'alnum', 32],
  ['anyscale_key', 'esecret_', 'alnum', 20],
  ['voyage_key', 'pa-', 'dashed', 40],
  ['daytona_key', 'dtn_', 'alnum', 32],
  ['elevenlabs_key', 'sk_', 'hex', 48, { max: 48 }],
  ['stripe_key', 'sk_live_ rk_live_', 'alnum', 16, { isAnyBody: true, excludes: /^[a-z_]*$/ }],
  ['stripe_key', 'sk_test_ rk_test_', 'alnum', 16],
  ['stripe_key', 'whsec_', 'alnum', 24],
  ['square_token', 'sq0atp- sq0csp- sq0idp-', 'dashed', 20, { isAnyBody: true }],
  ['square_token', 'EAAA', 'dashed', 56],
  ['facebook_token', 'EAA', 'alnum', 80],
  ['shopify_token', 'shpat_ shpca_ shppa_ shpss_', 'alnum', 32],
  ['mailgun_key', 'key-', 'hex', 32, { max: 32 }],
  ['twilio_key', 'SK', 'hex', 32, { max: 32 }],
  ['brevo_key', 'xkeysib- xsmtpsib-', 'dashed', 40],
  ['resend_key', 're_', 'word', 24, { max: 36 }],
  ['newrelic_key', 'NRAK- NRII- NRIQ- NRRA-', 'dashed', 20, { isAnyBody: true }],
  ['linear_key', 'lin_api_ lin_oauth_', 'alnum', 32],
  ['notion_token', 'ntn_ secret_', 'alnum', 40],
  ['digitalocean_token', 'dop_v1_ doo_v1_ dor_v1_', 'hex', 40],
  ['databricks_token', 'dapi', 'hex', 32, { rest: /-\d/y }],
  ['pulumi_token', 'pul-', 'hex', 40],
  ['sentry_token', 'sntrys_ sntryu_', 'word', 32],
  ['grafana_token', 'glsa_ glc_', 'word', 28],
  ['grafana_token', 'eyJrIjoi', 'alnum', 40],
  ['figma_token', 'figd_ figo_', 'dashed', 32],
  ['airtable_token', 'pat', 'alnum', 14, { max: 14, rest: secondPart, needsRest: true }],
  ['atlassian_token', 'ATATT3 ATCTT3 ATBB', 'dashed', 20],
  ['heroku_key', 'HRKU-', 'dashed', 30],
  ['netlify_token', 'nfp_ nfc_ nfo_', 'alnum', 32],
  ['vercel_token', 'vcp_ vci_ vca_ vcr_ vck_ vercel_blob_rw_', 'word', 24],
  ['fly_token', 'fm1r_ fm1a_ fm2_ fo1_', 'dashed', 32],
  ['supabase_key', 'sbp_ sb_secret_', 'word', 24],
  ['planetscale_token', 'pscale_tkn_ pscale_pw_ pscale_oauth_', 'dashed', 28],
  ['neon_key', 'napi_', 'alnum', 40],
  ['posthog_key', 'phx_', 'alnum', 32],
  ['contentful_token', 'CFPAT-', 'dashed', 32],
  ['launchdarkly_key', 'sdk- mob- api-', 'hex', 8, uuid],
  ['hubspot_token', 'pat-na1- pat-na2- pat-eu1-', 'hex', 8, uuid],
  ['plaid_token', 'access-sandbox- access-development- access-production-', 'hex', 8, uuid],
  ['alibaba_key_id', 'LTAI', 'alnum', 16, { max: 24 }],
  ['tencent_key_id', 'AKID', 'alnum', 32],
  ['yandex_token', 'AQVN y0_ t1.', 'dashed', 34],
  ['frameio_token', 'fio-u-', 'dashed', 40],
  ['typeform_token', 'tfp_', 'dashed', 40],
  ['postman_key', 'PMAK-', 'dashed', 50],
  ['readme_key', 'rdme_', 'alnum', 60],
  ['prefect_key', 'pnu_', 'alnum', 32],
  ['shippo_token', 'shippo_live_ shippo_test_', 'hex', 32],
  ['easypost_key', 'EZAK EZTK', 'alnum', 50],
  ['duffel_token', 'duffel_live_ duffel_test_', 'dashed', 40],
  ['adafruit_key', 'aio_', 'alnum', 26],
  ['flutterwave_key', 'FLWSECK_TEST- FLWSECK-', 'alnum', 12],
  ['infracost_key', 'ico-', 'alnum', 30],
  ['buildkite_token', 'bkua_ bkct_', 'hex', 32],
  ['circleci_token', 'CCIPAT_ CCIPRJ_', 'word', 32],
  ['sonar_token', 'squ_ sqp_ sqa_', 'hex', 40],
  ['tailscale_key', 'tskey-', 'dashed', 20],
  ['wakatime_key', 'waka_', 'hex', 8, uuid],
  ['mongodb_key', 'mdb_sa_sk_', 'dashed', 30],
  ['polar_token', 'polar_oat_ polar_pat_', 'word', 32],
  ['age_key', 'AGE-SECRET-KEY-1', 'upper', 40, { isAnyBody: true }],
  ['onepassword_token', 'ops_eyJ', 'alnum', 40],
  ['scaleway_key', 'SCW', 'upper', 17, { max: 17 }],
  ['sourcegraph_token', 'sgp_ sgd_ sgph_', 'word', 40],
  [
    'dynatrace_token',
    'dt0c01. dt0s01. dt0s16.',
    'alnum',
    20,
    { isAnyBody: true, rest: /\.[A-Z0-9]{40}[A-Z0-9]*/y },
  ],
  ['sendgrid_key', 'SG.', 'dashed', 16, { rest: secondPart, needsRest: true }],
  ['google_oauth_token', 'ya29.', 'dashed', 20],
  ['google_oauth_token', '1//', 'dashed', 30],
  ['vault_token', 'hvs. hvb. hvr.', 'dashed', 20],
  ['doppler_token', 'dp.pt. dp.ct. dp.st. dp.scim. dp.audit.', 'alnum', 32],
  ['dropbox_token', 'sl. sl.u.', 'dashed', 100],
  ['openshift_token', 'sha256~', 'dashed', 40, { max: 44 }],
]

/** One format per prefix, longer prefixes first. */
export function tokenFormats(): TokenFormat[] {
  return rows
    .flatMap(([rule, prefixes, body, min, extra]) =>
      prefixes.split(' ').map((prefix): TokenFormat => ({ rule, prefix, body, min, ...extra })),
    )
    .sort((a, b) => b.prefix.length - a.prefix.length)
}
