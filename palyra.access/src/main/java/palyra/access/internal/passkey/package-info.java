/** What authenticators answer (Web Authentication Level 3), read and verified. Pure. */
package palyra.access.internal.passkey;
