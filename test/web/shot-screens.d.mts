/** What the test of its menus reads of it. */
export declare const SCREENS: Readonly<Record<string, { readonly menu?: readonly [app: string, name: string] }>>
