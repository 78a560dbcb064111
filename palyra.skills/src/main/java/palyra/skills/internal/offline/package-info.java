/** Commands for developers of skills that work without a gateway. */
package palyra.skills.internal.offline;
