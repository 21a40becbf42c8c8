/** The part of the Khronos validator that the tests call; the package has no types. */
declare module 'gltf-validator' {
  interface Issue {
    readonly code: string;
    readonly message: string;
    /** 0 error, 1 warning, 2 information, 3 hint. */
    readonly severity: 0 | 1 | 2 | 3;
    readonly pointer?: string;
  }
  export function validateString(
    json: string,
  ): Promise<{ readonly issues: { readonly messages: readonly Issue[] } }>;
}
