// Who may see a document, as far as the service's answer could be understood.

export interface Principal {
  readonly type: 'user' | 'userGroup';
  /** Of a user the membership id. */
  readonly id?: string;
  readonly email?: string;
  readonly name?: string;
}

export interface AccessList {
  readonly principals: readonly Principal[];
  /** False where an entry was not understood: then nothing follows from who is not among the others. */
  readonly isWhole: boolean;
}
