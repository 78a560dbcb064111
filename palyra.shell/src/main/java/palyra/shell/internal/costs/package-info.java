/** What models used and cost, by what runs recorded. */
package palyra.shell.internal.costs;
