/** Signing in and out, invitations, and the person's own account. */
package palyra.console.internal.account;
