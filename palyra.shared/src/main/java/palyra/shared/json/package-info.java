/** Strict reading and canonical writing of JSON. Copied privately into each bundle that uses it. */
package palyra.shared.json;
