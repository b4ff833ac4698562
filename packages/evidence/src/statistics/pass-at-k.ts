// Estimates pass@k (at least one of k attempts passes) and pass^k (all pass) from n attempts with c
// passes. Both are unbiased: the share of k-subsets of the n attempts, computed as a product that
// does not overflow.

/** 1 - C(n-c, k) / C(n, k), Chen et al. (2021); undefined with fewer than k attempts. */
export function passAtK(n: number, c: number, k: number): number | undefined {
  if (k > n || k < 1) return undefined
  if (n - c < k) return 1
  let none = 1
  for (let i = n - c + 1; i <= n; i++) none *= 1 - k / i
  return 1 - none
}

/** C(c, k) / C(n, k); undefined with fewer than k attempts. */
export function passHatK(n: number, c: number, k: number): number | undefined {
  if (k > n || k < 1) return undefined
  if (c < k) return 0
  let all = 1
  for (let i = 0; i < k; i++) all *= (c - i) / (n - i)
  return all
}
