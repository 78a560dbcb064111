/** What is installed, in which state, and the rows that say so. */
package palyra.skills.internal.store;
