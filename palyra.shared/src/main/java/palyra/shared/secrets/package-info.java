/**
 * Finds secrets in text by how they look, and puts placeholders in their place. Needs nothing but
 * the JDK: the launcher's log uses it too.
 */
package palyra.shared.secrets;
