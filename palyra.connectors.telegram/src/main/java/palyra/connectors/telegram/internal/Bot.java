package palyra.connectors.telegram.internal;

/**
 * The account that the token belongs to.
 *
 * @param id its id
 * @param username its name without the sign in front; may be empty
 */
record Bot(long id, String username) {}
