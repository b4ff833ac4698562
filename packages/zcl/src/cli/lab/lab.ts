// The commands of the lab: suites, campaigns, workers, and tools for one attempt.
export { codexAppServer, fork, judge, relay } from './attempt-tools.ts'
export { campaign, mission } from './campaign.ts'
export { collect, suite, worker } from './suite.ts'
