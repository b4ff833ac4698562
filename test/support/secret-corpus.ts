// The corpus of secret formats: how each secret is printed, with values made at random, so that no value
// is real and no scanner reports this file. The part in «» must not be stored; without it, all of it.
import type { Draw } from '@zee/core/random'

export { seededRandom, type Draw as Random } from '@zee/core/random'

export interface SecretSample {
  format: string
  /** The secret as a program prints it. */
  text: string
  /** The part that must appear in no sink. */
  value: string
}

/** The seed of a test; `ZEE_SEED` draws other values. */
export function corpusSeed(standard: number): number {
  return standard + Number(process.env.ZEE_SEED ?? 0)
}

/** One sample of every format. */
export function secretSamples(random: Draw): SecretSample[] {
  return Object.keys(formats).map((format) => secretSample(format, random))
}

export function secretSample(format: string, random: Draw): SecretSample {
  const filled = fill(formats[format] ?? '', random)
  const [, marked] = /«([^»]*)»/s.exec(filled) ?? []
  const text = filled.replace(/[«»]/g, '')
  return { format, text, value: marked ?? text }
}

/** A value for a variable of `secretVariables`. */
export function variableValue(random: Draw): string {
  return fill('{A24}', random)
}

const alphabets: Readonly<Record<string, string>> = {
  A: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789',
  l: 'abcdefghijklmnopqrstuvwxyz0123456789',
  u: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567',
  h: '0123456789abcdef',
  d: '0123456789',
  b: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
  t: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-',
}

/** Replaces `{A36}` by 36 random letters and digits, `{uuid}` by a UUID, and so on. */
function fill(template: string, random: Draw): string {
  const characters = (kind: string, length: number): string => {
    const alphabet = alphabets[kind] ?? ''
    let text = ''
    while (text.length < length) text += alphabet[Math.floor(random() * alphabet.length)] ?? ''
    // A random body that starts or ends with a hyphen is not a word to most readers.
    return kind === 't' ? `a${text.slice(1, -1)}Z` : text
  }
  return template
    .replaceAll('{uuid}', '{h8}-{h4}-4{h3}-a{h3}-{h12}')
    .replaceAll('{pem}', '{b64}\n{b64}\n{b64}\n{b40}==')
    .replace(/\{([Aluhdbt])(\d+)\}/g, (_, kind: string, length: string) =>
      characters(kind, Number(length)),
    )
    .replace(/\{basic:([^}]*)\}/g, (_, text: string) => Buffer.from(text).toString('base64'))
}

const pemLines = (label: string): string =>
  `-----BEGIN ${label}-----\n«{pem}»\n-----END ${label}-----`

const formats: Readonly<Record<string, string>> = {
  'github classic': 'ghp_{A36}',
  'github oauth': 'gho_{A36}',
  'github user': 'ghu_{A36}',
  'github server': 'ghs_{A36}',
  'github refresh': 'ghr_{A36}',
  'github fine-grained': 'github_pat_{A22}_{A59}',
  'openai legacy': 'sk-{A48}',
  'openai project': 'sk-proj-{t74}',
  'openai service account': 'sk-svcacct-{t74}',
  'openai admin': 'sk-admin-{t74}',
  anthropic: 'sk-ant-api03-{t93}AA',
  'anthropic admin': 'sk-ant-admin01-{t93}AA',
  openrouter: 'sk-or-v1-{h64}',
  deepseek: 'sk-{h32}',
  'slack bot': 'xoxb-{d12}-{d12}-{A24}',
  'slack user': 'xoxp-{d12}-{d12}-{d12}-{h32}',
  'slack legacy': 'xoxs-{d12}-{d12}-{d12}-{h10}',
  'slack refresh': 'xoxe-1-{A146}',
  'slack app': 'xapp-1-A{u10}-{d13}-{h64}',
  'slack webhook': 'https://hooks.slack.com/services/T{u8}/B{u10}/«{A24}»',
  'aws key id': 'AKIA{u16}',
  'aws temporary key id': 'ASIA{u16}',
  'aws secret key': 'aws_secret_access_key = «{b40}»',
  'aws session token': 'AWS_SESSION_TOKEN=«IQoJb3JpZ2luX2VjE{A200}»',
  'aws presigned URL':
    'https://b.s3.amazonaws.com/k?X-Amz-Credential=a&X-Amz-Signature=«{h64}»&x=1',
  'google api key': 'AIza{t35}',
  'google oauth access': 'ya29.{t120}',
  'google oauth refresh': '1//0{t60}',
  'google client secret': 'GOCSPX-{t28}',
  'google service account':
    '{"type":"service_account","private_key_id":"{h40}","private_key":"-----BEGIN PRIVATE KEY-----\\n«{b64}\\n{b64}\\n{b64}»\\n-----END PRIVATE KEY-----\\n","client_email":"a@b.iam.gserviceaccount.com"}',
  'gitlab personal': 'glpat-{t20}',
  'gitlab routable': 'glpat-{t27}.01.{l9}',
  'gitlab deploy': 'gldt-{t20}',
  'gitlab runner': 'glrt-{t20}',
  'gitlab ci': 'glcbt-64_{t20}',
  'gitlab trigger': 'glptt-{h40}',
  npm: 'npm_{A36}',
  '.npmrc auth': '//registry.example.com/:_authToken=«{uuid}»',
  pypi: 'pypi-AgEIcHlwaS5vcmc{t150}',
  rubygems: 'rubygems_{h48}',
  crates: 'cio{A32}',
  nuget: 'oy2{l43}',
  'docker hub': 'dckr_pat_{t27}',
  'docker auth': '{"auths":{"r.example.com":{"auth":"«{basic:alice:Qx7{A16}}»"}}}',
  clojars: 'CLOJARS_{h60}',
  artifactory: 'AKCp{A69}',
  'hugging face': 'hf_{A34}',
  'hugging face organisation': 'api_org_{A34}',
  groq: 'gsk_{A52}',
  xai: 'xai-{A80}',
  replicate: 'r8_{A37}',
  perplexity: 'pplx-{A48}',
  nvidia: 'nvapi-{t64}',
  together: 'tgp_v1_{t43}',
  cerebras: 'csk-{l48}',
  pinecone: 'pcsk_{A6}_{A56}',
  langsmith: 'lsv2_pt_{h32}_{h10}',
  jina: 'jina_{h32}{A28}',
  tavily: 'tvly-dev-{A32}',
  e2b: 'e2b_{h40}',
  firecrawl: 'fc-{h32}',
  runpod: 'rpa_{A42}',
  daytona: 'dtn_{h64}',
  elevenlabs: 'sk_{h48}',
  'stripe live': 'sk_live_{A24}',
  'stripe test': 'sk_test_{A99}',
  'stripe restricted': 'rk_live_{A24}',
  'stripe webhook': 'whsec_{A32}',
  'square access': 'sq0atp-{t22}',
  'square oauth': 'sq0csp-{t43}',
  'square token': 'EAAA{t60}',
  facebook: 'EAA{A180}',
  'shopify access': 'shpat_{h32}',
  'shopify shared': 'shpss_{h32}',
  sendgrid: 'SG.{t22}.{t43}',
  mailgun: 'key-{h32}',
  mailchimp: '{h32}-us12',
  'twilio key': 'SK{h32}',
  'twilio auth token': 'TWILIO_AUTH_TOKEN=«{h32}»',
  brevo: 'xkeysib-{h64}-{A16}',
  resend: 're_{A8}_{A24}',
  telegram: '{d10}:AA{t33}',
  'discord bot': 'M{A23}.G{A5}.{t38}',
  'discord webhook': 'https://discord.com/api/webhooks/{d18}/«{t68}»',
  datadog: 'DD_API_KEY=«{h32}»',
  'datadog header': 'DD-APPLICATION-KEY: «{h40}»',
  'new relic': 'NRAK-{u27}',
  linear: 'lin_api_{A40}',
  notion: 'ntn_{d11}{A35}',
  'notion legacy': 'secret_{A43}',
  digitalocean: 'dop_v1_{h64}',
  databricks: 'dapi{h32}',
  vault: 'hvs.{t95}',
  'vault batch': 'hvb.{t138}',
  terraform: '{A14}.atlasv1.{t67}',
  pulumi: 'pul-{h40}',
  doppler: 'dp.pt.{A43}',
  '1password': 'ops_eyJ{A200}',
  sentry: 'sntrys_eyJ{A100}_{A43}',
  grafana: 'glsa_{A32}_{h8}',
  figma: 'figd_{t40}',
  airtable: 'pat{A14}.{h64}',
  atlassian: 'ATATT3xFfGF0{t180}',
  bitbucket: 'ATBB{A32}',
  dropbox: 'sl.{t140}',
  heroku: 'HRKU-{uuid}',
  netlify: 'nfp_{A36}',
  vercel: 'vercel_blob_rw_{A16}_{A32}',
  fly: 'FlyV1 fm2_{A120}',
  supabase: 'sbp_{h40}',
  planetscale: 'pscale_tkn_{t43}',
  neon: 'napi_{l64}',
  posthog: 'phx_{A43}',
  launchdarkly: 'sdk-{uuid}',
  hubspot: 'pat-na1-{uuid}',
  contentful: 'CFPAT-{t43}',
  mapbox: 'sk.eyJ{A60}.{t22}',
  'azure account key':
    'DefaultEndpointsProtocol=https;AccountName=a;AccountKey=«{b86}==»;EndpointSuffix=core.windows.net',
  'azure sas': 'https://a.blob.core.windows.net/c?sv=2024-01-01&sig=«{A42}%3D»&se=2027',
  'azure service bus':
    'Endpoint=sb://a.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey=«{b43}=»',
  'azure client secret': '{A3}8Q~{A34}',
  'alibaba key id': 'LTAI{A20}',
  'tencent key id': 'AKID{A32}',
  postman: 'PMAK-{h24}-{h34}',
  typeform: 'tfp_{t44}',
  dynatrace: 'dt0c01.{u24}.{u64}',
  buildkite: 'bkua_{h40}',
  circleci: 'CCIPAT_{A22}_{h40}',
  sonar: 'squ_{h40}',
  tailscale: 'tskey-auth-{A17}-{A32}',
  mongodb: 'mongodb+srv://alice:«{A20}»@cluster0.example.net/db',
  'postgres url': 'postgres://alice:«{A20}»@db.example.com:5432/app',
  'redis url': 'redis://:«{A20}»@cache.example.com:6379/0',
  'basic auth header': 'Authorization: Basic «{basic:alice:Qx7{A16}}»',
  'bearer header': 'Authorization: Bearer «{t40}»',
  'api key header': 'X-Api-Key: «{A32}»',
  cookie: 'Cookie: theme=dark; sessionid=«{l32}»; lang=en',
  'set-cookie': 'Set-Cookie: connect.sid=«s%3A{A32}.{A43}»; Path=/; HttpOnly',
  jwt: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIx{A30}.{t43}',
  jwe: 'eyJhbGciOiJkaXIiLCJlbmMiOiJBMTI4R0NNIn0..{t16}.{t60}.{t22}',
  'age identity': 'AGE-SECRET-KEY-1{u58}',
  'pem rsa': pemLines('RSA PRIVATE KEY'),
  'pem pkcs8': pemLines('PRIVATE KEY'),
  'pem encrypted': pemLines('ENCRYPTED PRIVATE KEY'),
  'pem ec': pemLines('EC PRIVATE KEY'),
  'openssh key': pemLines('OPENSSH PRIVATE KEY'),
  'pgp key': pemLines('PGP PRIVATE KEY BLOCK'),
  'pem with line numbers':
    '   1\t-----BEGIN RSA PRIVATE KEY-----\n   2\t«{b64}»\n   3\t{b64}\n   4\t{b64}\n   5\t-----END RSA PRIVATE KEY-----',
  'pem as source':
    "'-----BEGIN PRIVATE KEY-----\\n' +\n  '«{b64}»\\n' +\n  '{b64}\\n' +\n  '-----END PRIVATE KEY-----'",
  'pem without its first line': '«{b64}\n{b64}\n{b40}==»\n-----END RSA PRIVATE KEY-----',
  'kubeconfig client key': 'users:\n- name: me\n  user:\n    client-key-data: «{b200}»',
  'kubeconfig token': 'users:\n- name: me\n  user:\n    token: «{A60}»',
  netrc: 'machine example.com login alice password «{A16}»',
  'netrc in lines': 'machine example.com\n  login alice\n  password «{A16}»',
  pgpass: 'db.example.com:5432:app:alice:«{A16}»',
  'curl user': 'curl -s -u alice:«{A16}» https://example.com/x',
  'mysql argument': 'mysql -h db -u root -p«{A16}» app',
  sshpass: "sshpass -p '«{A16}»' ssh alice@example.com",
  'password flag': 'tool --password «{A16}» --verbose',
  'query parameter': 'https://example.com/?access_token=«{A40}»&x=1',
  'json password': '{"user":"alice","password":"«{A16}»"}',
  'yaml secret': 'client_secret: «{A40}»',
}

/** Names of variables whose value is secret, whatever its form. */
export const secretVariables: readonly string[] = [
  'DB_PASS',
  'MYSQL_PWD',
  'OPENAI_KEY',
  'GH_PAT',
  'PGPASSWORD',
  'REDIS_AUTH',
  'SMTP_PASS',
  'ENCRYPTION_KEY',
  'SIGNING_KEY',
  'RAILS_MASTER_KEY',
  'SECRET_KEY_BASE',
  'JWT_SECRET',
  'SSH_PASSPHRASE',
  'KEYSTORE_PASS',
  'NPM_AUTH',
  'COOKIE_SECRET',
  'WEBHOOK_SECRET',
  'AZURE_STORAGE_KEY',
  'DD_APP_KEY',
  'ADMIN_PW',
  'BASIC_AUTH',
  'STRIPE_SK',
  'CLOUDFLARE_API_TOKEN',
  'HMAC_KEY',
  'GOOGLE_CREDENTIALS',
  'SERVICE_KEY',
]
