VACUUM INTO 'made.db'
