/** The id of the site that has the registry. */
export const PRIMARY = 'primary';
