/** Whether a text of JSON is nested deeper than anything that we write or work with. */
export declare function isTooDeep(json: string): boolean;
