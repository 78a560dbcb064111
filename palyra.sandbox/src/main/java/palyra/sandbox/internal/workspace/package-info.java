/** Which folder an agent works in, and whether it may be one. */
package palyra.sandbox.internal.workspace;
