/** Credentials to principals, and every decision with its record. */
package palyra.access.internal;
