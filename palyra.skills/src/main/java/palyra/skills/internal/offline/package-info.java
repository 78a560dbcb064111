/** What developers of skills do without a gateway. */
package palyra.skills.internal.offline;
