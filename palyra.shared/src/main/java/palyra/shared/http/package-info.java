/** What each face on the HTTP server needs. Copied privately into each bundle that uses it. */
package palyra.shared.http;
