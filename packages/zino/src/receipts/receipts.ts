// Receipts: one line per turn in `receipts.jsonl`, chained by hashes, so that a changed byte is found. They
// hold hashes of texts, never the texts.
export type { Receipt, ReceiptExecution } from './receipt.ts'
export { appendReceipt, hasReceipt, receiptsFile } from './file.ts'
export { readReceipts, verifyReceipts } from './verify.ts'
export { textFacts } from './receipt.ts'
