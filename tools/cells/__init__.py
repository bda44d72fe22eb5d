"""Code cells of notebooks: ``layout`` lays their code out, ``folds`` says which of it stands open on the site."""
