/** Deadlines of many short calls on one thread. */
package palyra.shared.deadline;
