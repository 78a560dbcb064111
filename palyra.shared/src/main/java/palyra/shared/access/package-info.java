/** What access control is asked about calls. */
package palyra.shared.access;
