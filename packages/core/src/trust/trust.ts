// Trust in files of a project: records of path and hash, and config files that need trust.
export type { TrustRecord } from './records.ts'
export { isTrusted, trust, trustedFiles, untrust } from './records.ts'
export type { TrustRequirement } from './require-trust.ts'
export { requireTrust } from './require-trust.ts'
