import type { Span, Verdict } from '../scan.ts';
/**
 * Passwords behind a flag that only its program makes telling: `curl -u user:password`, `sshpass -p password`,
 * `mysql -ppassword`, `docker login -p password`, `redis-cli -a password`. `at` stands at the space before the flag.
 */
export declare function commandSecret(text: string, at: number): Verdict;
/** The same in a list: `["mysql", "-uroot", "-ppassword"]`. `at` stands at the quote before the flag. */
export declare function listedSecret(text: string, at: number): Verdict;
/** Where the password stands in an item of a list of arguments, whose first item is at most `FAR_ITEMS` before it. */
export declare function passwordOfItem(items: readonly unknown[], i: number): Span | undefined;
