/** As long as the registry lets the id of a tenant be: one that could be registered and not used would be of no use. */
export const TENANT_LENGTH = 50;
/** The longest name that the kernel itself makes, `<tenant>_token_generator`. */
export const ROLE_LENGTH = 66;
