/** Mails to people of whom somebody knows the password. */
export const guessedFactorMail = `
ALTER TABLE mail_outbox DROP CONSTRAINT mail_outbox_kind_check,
  ADD CONSTRAINT mail_outbox_kind_check CHECK
    (kind IN ('invitation', 'password_reset', 'sign_up', 'account_exists', 'connection_ended',
      'second_factor_changed', 'only_way_ended', 'second_factor_guessed'));
`;
