/** Questions to people and their answers, as the journal keeps them. */
package palyra.shared.approval;
