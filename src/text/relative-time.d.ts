/** `just now`, `5 minutes ago`, `2 hours ago`, `yesterday`, `3 days ago`, `2 months ago` (S0-D5f, S1-003t). */
export declare function relativeTime(then: Date, now: Date): string;
