/** Passwords as they are kept. */
package palyra.access.internal.password;
