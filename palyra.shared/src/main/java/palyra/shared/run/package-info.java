/** The stored form and the identity of a submitted message. Copied privately into each bundle. */
package palyra.shared.run;
